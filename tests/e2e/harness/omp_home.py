"""A HOME in which OMP knows one model, the scripted one, and asks nothing."""

from __future__ import annotations

from pathlib import Path

MODELS = """\
providers:
  fake:
    baseUrl: {url}
    apiKey: sk-fake-key
    api: openai-completions
    models:
      - id: fake-1
        name: Fake One
        reasoning: false
        input: [text]
        cost: {{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }}
        contextWindow: 128000
        maxTokens: 8192
"""
CONFIG = """\
setupVersion: 2
modelRoles:
  default: fake/fake-1
  smol: fake/fake-1
  tiny: fake/fake-1
  task: fake/fake-1
startup:
  checkUpdate: false
tools:
  approvalMode: {approval}
  intentTracing: false
"""
PROBE = Path(__file__).with_name("probe.ts")
ENVIRONMENT = {
    "PI_NO_TITLE": "1",
    # An import that does not resolve fails at once, instead of being installed into the running OMP.
    "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/",
}


def write_home(home: Path, url: str, approval: str = "yolo") -> None:
    """`approval` is OMP's `tools.approvalMode`."""
    agent = home / ".omp/agent"
    (agent / "extensions").mkdir(parents=True, exist_ok=True)
    (agent / "models.yml").write_text(MODELS.format(url=url))
    (agent / "config.yml").write_text(CONFIG.format(approval=approval))
    (agent / "extensions/probe.ts").write_text(PROBE.read_text())
