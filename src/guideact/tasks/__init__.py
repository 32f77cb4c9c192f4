"""Tasks: how they are loaded, checked, solved and proved. `docs/add-a-task.md` says how to write one."""
