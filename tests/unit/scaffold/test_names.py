from __future__ import annotations

import pytest

from attention_framework.scaffold import Names, NotAName, names_of


def test_every_name_is_made_from_the_one_that_is_given() -> None:
    made = Names("quiet-hours", "quiet_hours", "attention_quiet_hours", "attention-quiet-hours", "QuietHours")
    assert names_of("quiet-hours") == made
    assert names_of("quiet_hours") == made


@pytest.mark.parametrize(
    "name",
    ["", "Quiet", "2fast", "-x", "x-", "a--b", "a b", "ä", "a.b", "../x", "a/b", "x\n", "x" * 25],
)
def test_a_name_of_another_form_is_refused_with_the_form(name: str) -> None:
    with pytest.raises(NotAName, match="lower-case letters and digits") as refused:
        names_of(name)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("name", ["framework", "herdr", "omp-keys", "omp_keys", "tmux"])
def test_a_name_of_this_project_is_refused(name: str) -> None:
    with pytest.raises(NotAName, match="of this project"):
        names_of(name)
