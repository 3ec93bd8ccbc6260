"""The rules of the protocol. Each can be switched off, and then there is a trace that violates an invariant."""

from __future__ import annotations

from typing import NamedTuple

MAILBOX = {
    "attended": "a lost focus stands only while the agent's count of proofs equals the one that its request names",
    "read-first": "a cycle reads that count before it takes the snapshot",
    "publish-first": "the agent writes its status file before it wakes the controller",
    "hello-wakes": "an agent that starts wakes the controller once its status file is there",
    "overtaken-wakes": "an agent that drops a request for an older count wakes the controller",
    "markers": "wake-up markers are removed after the cycle that saw them",
    "owner": "a hold stands only while its file does",
    "newest": "a newer request replaces the one that is worked on, an empty one withdraws it",
    "engage-first": "the gate is engaged and the screen painted before anything is acknowledged",
    "recheck": "after the acknowledgement everything is checked once more; if nothing stands, it is taken back",
    "all-holds": "that last check counts every hold in force, asked for or not",
    "restore": "a request that could not be carried out goes back to the mailbox, unless a newer one is there",
    "waive": "a person who resumes is not asked again for the holds in force at that moment",
    "own-pause": "where the person has paused already, the request is dropped and nothing is taken over",
    "engagement": "a resume request names the engagement that it ends",
    "holds-refuse": "a hold in force refuses a resume request",
}
REFLEX = {
    "brake": "a report of the lost focus engages the gate at once",
    "line": "while the brake is on the screen says so",
    "ask-anew": "every such report asks anew, also while an older question is open",
    "newest-answer": "an answer to an older question is ignored",
    "fresh-answer": "an answer comes from a snapshot taken after the question arrived",
    "pause-keeps": "the answer `pause` keeps the brake on",
    "return-lets-go": "the report of the return lets go",
    "key-lets-go": "a key of the person's lets go",
    "silence-lets-go": "no answer within the bound lets go",
    "silence-wakes": "an agent that lets go without an answer wakes the controller",
    "silence-ends-it": "after so many questions in a row without an answer there is no brake any more",
    "ask-wakes": "a question wakes the controller too",
    "ask-again": "the answer `pause` that no request follows is asked again, and then lets go",
    "swap": "brake and pause screen change places in one tick",
    "brake-again": "after a request that failed or was taken back the brake goes on again, with a new question",
    "left-at-resume": "a focus lost between the key that resumes and the opening of the gate puts the brake on again",
    "own-wins": "a pause of the person's takes the place of the brake",
    "resume-proves": "a resume by hand is a proof that the person is there",
    "lease-at-report": "without a valid lease there is no brake",
    "lease-ends-it": "a brake whose lease has run out lets go within the bound",
    "away-first": "the status file says that the focus is away before the question is sent",
    "away-wakes": "where the outer window counts, a report that asks nothing wakes the controller",
    "boundary": "strict: every boundary engages the gate and asks",
}
RULES = MAILBOX | REFLEX


class Settings(NamedTuple):
    """What is tried: the settings of the reflex, and what may happen."""

    mode: str = "brake"
    """off, brake, strict."""
    away: str = "ignore"
    """ignore or pause: what the outer window's loss of the focus means."""
    fail: str = "open"
    world: str = "focus window breaks person failures crashes"
    """What may happen, by its names."""
    off: frozenset[str] = frozenset()

    def on(self, rule: str) -> bool:
        return rule not in self.off

    def may(self, what: str) -> bool:
        return what in self.world
