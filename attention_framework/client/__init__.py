"""Programs that ask the resident controller and must cost next to nothing.

`thin_client.py` and `thin_gate.py` run by themselves with `python -I -S` from the state folder, where
`attention setup` puts them as they are; `installing.py` is that. They import nothing of this package there.
"""
