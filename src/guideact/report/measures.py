"""The measures that a report shows, in words that a reader who knows no paper understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unit = Literal["share", "number", "money"]


@dataclass(frozen=True)
class Measure:
    """`key` is a field of `Score`; `of` is what its estimate averages over.

    `{gamma}` and `{rest}` are filled in into `meaning`, `{decoding}` into `short`.
    """

    key: str
    name: str
    short: str
    meaning: str
    unit: Unit = "share"
    of: str = "task"


MAIN = (
    Measure(
        "sr",
        "SR",
        "success rate",
        "Share of tasks that were done: at the end of the episode, a program checks the answer, the page and the "
        "site's data, and finds what the task asked for and nothing else changed.",
    ),
    Measure(
        "g",
        "G",
        "guide score",
        "How close the guide sentences come to reference sentences written for the same task: the mean of BLEU-1, "
        "BLEU-2, ROUGE-1 and ROUGE-L. 1 means word for word; good paraphrases lie well below it. Only tasks that have "
        "references.",
    ),
    Measure(
        "ggs",
        "GGS",
        "guided success",
        "Success that also teaches. A failed task counts 0; a solved one counts {gamma:g} for being solved and up to "
        "{rest:g} more for its guide. Here a task without references has a guide score of 0.",
    ),
    Measure(
        "ggs_referenced",
        "GGS, tasks with references",
        "guided success without the other tasks",
        "The same over the tasks that have references: the others are left out instead of counting as unguided.",
    ),
    Measure(
        "ofcr",
        "OFCR",
        "well-formed answers, decoding {decoding}",
        "Share of steps whose answer could be read, named a valid action, and whose guide sentence gives away no mark "
        "number, coordinate, selector or other detail that a person cannot see. Where decoding is constrained, every "
        "answer can be read, and only the rest is measured.",
        of="step",
    ),
    Measure(
        "guide_tax",
        "Guide Tax",
        "what SR loses once guides count",
        "SR less GGS. 0 would mean that every solved task came with a perfect guide.",
    ),
    Measure(
        "steps",
        "Steps",
        "steps of an episode",
        "Answers that the model gave in an episode, malformed ones included.",
        unit="number",
    ),
    Measure(
        "seconds",
        "Seconds",
        "seconds of an episode",
        "How long an episode took, waiting for the model included.",
        unit="number",
    ),
)

MORE = (
    Measure("bleu1", "BLEU-1", "part of G", "Share of the guide's words that a reference has too; short guides lose."),
    Measure("bleu2", "BLEU-2", "part of G", "As BLEU-1, for words and pairs of words."),
    Measure("rouge1", "ROUGE-1", "part of G", "F1 of the words that guide and reference share."),
    Measure("rouge_l", "ROUGE-L", "part of G", "F1 of their longest common sequence of words, gaps allowed."),
    Measure("g_solved", "G, solved", "guide score of solved episodes", "G over the attempts that passed."),
    Measure("g_failed", "G, failed", "guide score of failed episodes", "G over the attempts that did not pass."),
    Measure(
        "g_aligned",
        "G, step by step",
        "guide score of aligned steps",
        "Each sentence is compared with the reference of the gold step that it falls on, in order; steps too many or "
        "too few cost. G alone does not see whether a sentence comes at its step.",
    ),
    Measure(
        "ceiling",
        "G of one reference against the others",
        "what another careful writer gets",
        "Each reference scored against the others of its task.",
    ),
    Measure("floor", "G, floor", "what saying nothing gets", "The same constant sentence at every step."),
    Measure(
        "guide_tax_referenced",
        "Guide Tax, tasks with references",
        "without the other tasks",
        "SR less GGS over the tasks that have references.",
    ),
    Measure(
        "input_tokens",
        "Input tokens",
        "read in an episode",
        "Tokens that the model read, as its endpoint counts them.",
        unit="number",
    ),
    Measure(
        "output_tokens",
        "Output tokens",
        "written in an episode",
        "Tokens that the model wrote, as its endpoint counts them.",
        unit="number",
    ),
    Measure(
        "cost",
        "Cost, US$",
        "paid for an episode",
        "What the model's endpoint charges for the calls of an episode, by the prices that the run used; answers from "
        "the response cache cost nothing.",
        unit="money",
    ),
)
