"""The resident controller: one process for all sessions of all enabled hosts of one user.

`protocol.py`, `address.py` and `client.py` are what others talk to it with; `door.py` and `desk.py` take their
requests. `worker.py` runs the cycles of one session, `sessions.py` finds the sessions and follows each,
`asking.py` answers `ask`. `changes.py`, `breaks.py` and `lease.py` are what it does without being asked, and
`resident.py` puts it together.
"""
