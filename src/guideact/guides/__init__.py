"""Guides: made from what an agent or a person did, published, followed, and kept true.

`guide.py` is the data and its folder, `make.py` makes guides, `publish/` turns one into pages, `literal/` follows one
word for word, `verify.py` and `repair.py` keep it true.
"""
