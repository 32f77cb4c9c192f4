"""A recipient that follows a guide to the letter: one sentence, one page, one act, and no other knowledge.

It reads what the sentence quotes and says (`read.py`), finds what that names among what is in view (`find.py`), and
gives up where nothing bears the name (`follow.py`). It imports nothing of the sites, their tasks or their gold, and it
is the same every time.
"""
