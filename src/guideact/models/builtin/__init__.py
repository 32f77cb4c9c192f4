"""The built-in agent: a small scorer of candidates on hashed words, with weights in the package.

It exists so that every path of guideact (live runs, training, forced guides, both orders of guide and action) runs for
real anywhere, without a key, a GPU or a download. It is mostly lexical; no number of it says anything about WebArena or
about the papers.
"""

from guideact.models.builtin.model import NOTE, BuiltinModel, builtin

__all__ = ["NOTE", "BuiltinModel", "builtin"]
