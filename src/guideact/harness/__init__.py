"""The harness: it runs an agent over tasks, and keeps what happened in a folder."""
