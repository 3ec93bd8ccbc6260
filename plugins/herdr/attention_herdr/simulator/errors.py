"""Errors as Herdr answers them."""

from __future__ import annotations


class ApiError(Exception):
    """An error reply that keeps the id of the request."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class InvalidRequest(Exception):
    """A request that could not be read. Herdr answers with code `invalid_request` and an *empty* id."""


def pane_not_found(pane_id: str) -> ApiError:
    return ApiError("pane_not_found", f"pane {pane_id} not found")


def agent_not_found(target: str) -> ApiError:
    return ApiError("agent_not_found", f"agent target {target} not found")


def tab_not_found(tab_id: str) -> ApiError:
    return ApiError("tab_not_found", f"tab {tab_id} not found")


def workspace_not_found(workspace_id: str) -> ApiError:
    return ApiError("workspace_not_found", f"workspace {workspace_id} not found")
