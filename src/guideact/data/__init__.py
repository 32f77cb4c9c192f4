"""Datasets: frozen demonstrations as Parquet files, with a manifest and a ledger.

    dataset = open_dataset(Path("dataset"))
    for step in dataset.steps("test"):
        print(step.task_id, step.index, step.action, step.guides[0])

A dataset is a folder:

    manifest.json               what it is: format, name, licence, versions, counts, and the SHA-256 of every file
    ledger.jsonl                what became of every task at every stage (`ledger.py`)
    tasks.parquet               one row a task (`records.DemoTask`)
    steps-train-00000.parquet   one row a step, in the order of tasks and steps (`records.DemoStep`)
    steps-test-00000.parquet
    images-00000.parquet        the screenshots, each once, named by their SHA-256
    README.md                   the dataset card
"""

from guideact.data.ledger import Entry, Ledger
from guideact.data.manifest import Manifest
from guideact.data.records import DemoStep, DemoTask, skeleton, skeleton_of
from guideact.data.shards import Dataset, open_dataset, write_dataset

__all__ = [
    "Dataset",
    "DemoStep",
    "DemoTask",
    "Entry",
    "Ledger",
    "Manifest",
    "open_dataset",
    "skeleton",
    "skeleton_of",
    "write_dataset",
]
