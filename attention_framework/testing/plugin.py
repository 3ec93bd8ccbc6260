"""The pytest plugin that brings the contract suites and their fixtures."""
