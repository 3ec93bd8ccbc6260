"""The driver behind `attention break-run`: pauses all agents, calls Stretchly for a break, and ends the pause when that break
is over.
"""
