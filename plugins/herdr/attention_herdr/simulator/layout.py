"""How the panes of a tab share its area: a tree of splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .state import Pane, Tab


@dataclass(frozen=True, slots=True)
class Rect:
    x: int
    y: int
    width: int
    height: int

    def shape(self) -> dict[str, int]:
        return {"x": self.x, "y": self.y, "width": self.width, "height": self.height}


AREA = Rect(26, 1, 134, 43)
"""What a tab gets of a terminal of 160 x 44 beside the sidebar (as recorded)."""


@dataclass(slots=True, eq=False)
class Leaf:
    pane: Pane

    def panes(self) -> Iterator[Pane]:
        yield self.pane


@dataclass(slots=True, eq=False)
class Split:
    direction: str
    ratio: float
    first: Node
    second: Node

    def panes(self) -> Iterator[Pane]:
        yield from self.first.panes()
        yield from self.second.panes()


Node = Leaf | Split


def split(node: Node, target: Pane, new: Pane, direction: str, ratio: float) -> Node:
    """The tree with `new` beside (`right`) or under (`down`) `target`."""
    if isinstance(node, Leaf):
        return Split(direction, ratio, node, Leaf(new)) if node.pane is target else node
    node.first = split(node.first, target, new, direction, ratio)
    node.second = split(node.second, target, new, direction, ratio)
    return node


def without(node: Node, pane: Pane) -> Node | None:
    if isinstance(node, Leaf):
        return None if node.pane is pane else node
    first, second = without(node.first, pane), without(node.second, pane)
    if first is None or second is None:
        return first or second
    node.first, node.second = first, second
    return node


def rects(node: Node, area: Rect = AREA) -> dict[Pane, Rect]:
    if isinstance(node, Leaf):
        return {node.pane: area}
    first, second = _halves(node, area)
    return {**rects(node.first, first), **rects(node.second, second)}


def splits(node: Node, area: Rect = AREA, path: str = "root") -> list[dict[str, object]]:
    """The splits with ids after their place in the tree.
    Only the root's id is recorded; the others are a guess.
    """
    if isinstance(node, Leaf):
        return []
    depth = path.count(".")
    first, second = _halves(node, area)
    own: dict[str, object] = {
        "id": f"split_{depth}_{path}",
        "direction": node.direction,
        "ratio": node.ratio,
        "rect": area.shape(),
    }
    return [own, *splits(node.first, first, f"{path}.0"), *splits(node.second, second, f"{path}.1")]


def inner_size(tab: Tab, pane: Pane) -> tuple[int, int]:
    """Columns and rows of the terminal in a pane:
    without the border that panes have as soon as there are two.
    """
    if tab.root is None or isinstance(tab.root, Leaf):
        return AREA.width, AREA.height
    rect = rects(tab.root)[pane]
    return rect.width - 2, rect.height - 2


def neighbour(tab: Tab, pane: Pane, direction: str) -> Pane | None:
    """The nearest pane whose side touches; of several, the one that shares most of the border."""
    if tab.root is None:
        return None
    places = rects(tab.root)
    here = places[pane]
    touching = [
        (_shared(here, there, direction), other) for other, there in places.items() if other is not pane
    ]
    length, nearest = max(touching, key=lambda pair: pair[0], default=(0, None))
    return nearest if length > 0 else None


def _shared(a: Rect, b: Rect, direction: str) -> int:
    touches = {
        "left": b.x + b.width == a.x,
        "right": a.x + a.width == b.x,
        "up": b.y + b.height == a.y,
        "down": a.y + a.height == b.y,
    }[direction]
    if not touches:
        return 0
    if direction in ("left", "right"):
        return min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return min(a.x + a.width, b.x + b.width) - max(a.x, b.x)


def _halves(node: Split, area: Rect) -> tuple[Rect, Rect]:
    if node.direction == "right":
        width = round(area.width * node.ratio)
        return (
            Rect(area.x, area.y, width, area.height),
            Rect(area.x + width, area.y, area.width - width, area.height),
        )
    height = round(area.height * node.ratio)
    return (
        Rect(area.x, area.y, area.width, height),
        Rect(area.x, area.y + height, area.width, area.height - height),
    )
