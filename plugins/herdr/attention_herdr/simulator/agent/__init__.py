"""A simulated coding agent for a pane: it works, can be typed to,
and pauses like OMP with this project's extension.
"""
