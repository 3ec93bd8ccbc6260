"""`attention verify`: two agents in a disposable place, the focus moved between them, and what can be said then.

`absence.py` and `judging.py` are values and pure decisions, `figures.py` and `page.py` show them; `actor.py`,
`sampler.py`, `work.py`, `draft.py`, `story.py` and `conversation.py` look and act; `rehearsal.py` goes through the
steps. `guarantees.py` knows the modes.
"""

from __future__ import annotations
