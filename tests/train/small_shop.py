"""A small shop made by hand, and demonstrations in it: enough for a small network to learn from in a second.

Two kinds of tasks, each on several products: put one in the cart, and say what one costs.
"""

from __future__ import annotations

from pathlib import Path

from guideact.data import Dataset, DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of, write_dataset
from guideact.types import Action, Click, Finish, Mark, Observation, PressEnter, Split, Task, Type
from tests.tasks.pages import candidate, line, page

PRODUCTS = (
    "Polka Tee",
    "Oak Desk Lamp",
    "Glass Tea Kettle",
    "Harbour Mug",
    "Silk Neckerchief",
    "Rice Pot",
    "Trail Pack",
    "Velvet Cushion",
    "Steel Bottle",
    "Anglo Vase",
)
TEST = ("Cedar Stool", "Linen Apron")
"""Of the test split: no train task names them."""


def price(product: str) -> str:
    return f"${10 + len(product)}.50"


def home(typed: str = "") -> Observation:
    states = ("focused",) if typed else ()
    return at(
        "",
        page(
            candidate(1, "searchbox", "Search products", 10, 10, value=typed, states=states),
            candidate(2, "link", "Sale", 200, 10),
            candidate(3, "link", "Contact us", 400, 10),
            line("Welcome", 10, 60),
        ),
    )


def results(product: str) -> Observation:
    others = [other for other in PRODUCTS if other != product][:2]
    names = sorted([product, *others])
    cards = [candidate(number, "link", name, 10, 100 * number) for number, name in enumerate(names, 2)]
    return at(
        f"search?q={product.replace(' ', '+')}",
        page(candidate(1, "searchbox", "Search products", 10, 10, value=product), *cards, line("3 results", 10, 60)),
    )


def product_page(product: str, message: str = "") -> Observation:
    return at(
        f"p/{product.casefold().replace(' ', '-')}",
        page(
            candidate(1, "searchbox", "Search products", 10, 10),
            candidate(2, "button", "Add to cart", 600, 300),
            candidate(3, "button", "Add to wish list", 600, 340),
            line(product, 600, 100),
            line(price(product), 600, 140),
            line("SKU 1001", 600, 180),
            *([line(message, 10, 60)] if message else []),
        ),
    )


def at(path: str, seen: Observation) -> Observation:
    return seen.model_copy(update={"url": f"http://shop.localhost/{path}"})


def mark_of(seen: Observation, name: str) -> Mark:
    return Mark(mark=next(each.mark for each in seen.candidates if each.name == name))


def cart_steps(product: str) -> list[tuple[Observation, Action, tuple[str, ...]]]:
    found, shown = results(product), product_page(product)
    return [
        *search_steps(product),
        (found, Click(target=mark_of(found, product)), (f"Open “{product}” in the list.", f"Choose “{product}”.")),
        (
            shown,
            Click(target=mark_of(shown, "Add to cart")),
            ("Press “Add to cart”.", f"Put “{product}” in the cart with “Add to cart”."),
        ),
        (
            product_page(product, f"You added {product} to your cart"),
            Finish(),
            ("The message says that it is done.", "Stop when the message appears."),
        ),
    ]


def price_steps(product: str) -> list[tuple[Observation, Action, tuple[str, ...]]]:
    found = results(product)
    return [
        *search_steps(product),
        (found, Click(target=mark_of(found, product)), (f"Open “{product}” in the list.", f"Choose “{product}”.")),
        (
            product_page(product),
            Finish(answer=price(product)),
            ("Read the price under the name.", "The amount below the title is the answer."),
        ),
    ]


def search_steps(product: str) -> list[tuple[Observation, Action, tuple[str, ...]]]:
    return [
        (
            home(),
            Type(target=Mark(mark=1), text=product),
            (f"Type “{product}” into the search field.", f"The search field takes “{product}”."),
        ),
        (home(product), PressEnter(), ("Press Enter to search.", "Enter starts the search.")),
    ]


def small_shop(folder: Path, templates: int = 2) -> Dataset:
    """A dataset of twenty train tasks and four test tasks, without pictures; its tasks go by so many templates."""
    tasks, steps = [], []
    splits: tuple[tuple[Split, tuple[str, ...]], ...] = (("train", PRODUCTS), ("test", TEST))
    for split, products in splits:
        for number, product in enumerate(products):
            kinds = (
                ("cart", f"Add the {product} to my cart.", cart_steps(product)),
                ("price", f"How much is the {product}?", price_steps(product)),
            )
            for kind, intent, acts in kinds:
                task = Task(
                    id=f"shop.{kind}.{split}{number}",
                    intent=intent,
                    sites=("shopping",),
                    start_url="__SHOPPING__/",
                    template_id=f"shop.{kind}{number % (templates // 2)}",
                    split=split,
                )
                own = [_step(task, split, index, *act) for index, act in enumerate(acts)]
                steps += own
                tasks.append(DemoTask(task=task, steps=len(own), skeleton=tuple(map(skeleton_of, own))))
    return write_dataset(
        folder,
        Manifest(name="small shop", licence="Apache-2.0", source="embedded"),
        tasks,
        steps,
        Ledger(stages=("frozen",), entries=tuple(Entry(task_id=task.id, stage="frozen") for task in tasks)),
        card=lambda manifest, verbs: "# small shop\n",
    )


def _step(task: Task, split: Split, index: int, seen: Observation, action: Action, guides: tuple[str, ...]) -> DemoStep:
    target = getattr(action, "target", None)
    candidate = seen.candidate(target.mark) if isinstance(target, Mark) else None
    return DemoStep(
        task_id=task.id,
        index=index,
        split=split,
        observation=seen,
        action=action,
        point=None if candidate is None else candidate.point,
        box=None if candidate is None else candidate.box,
        guides=guides,
    )


def demo_step(seen: Observation, action: Action, index: int) -> DemoStep:
    """A step of a demonstration that stands in no dataset."""
    task = Task(id="t", intent="Do it.", sites=("shopping",), start_url="__SHOPPING__/", split="train")
    return _step(task, "train", index, seen, action, ())
