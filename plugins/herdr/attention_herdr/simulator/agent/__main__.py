"""`python -m attention_herdr.simulator.agent`"""

from __future__ import annotations

from .agent import Agent
from .options import parse

if __name__ == "__main__":
    Agent(parse(None)).run()
