"""A study with people who follow guides: planned, served, recorded and exported.

guideact study build STUDY --contact "..."     # the folder: frozen guides, assignment, protocol, consent
guideact study serve STUDY                     # participants enter by a code
guideact study export STUDY OUT                # a row a trial
guideact guide trials STUDY runs/literal       # people beside other recipients
"""
