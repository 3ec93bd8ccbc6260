"""`attention demo`: the real controller on a simulated Herdr with simulated agents, shown live and checked at the end."""
