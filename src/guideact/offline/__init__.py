"""WebMRE (arXiv 2609.27353): what can be measured over frozen demonstrations, with no site and no browser.

Every step of a split is put to a model as the demonstration saw it ("teacher-forced"); the outputs are kept, and
every score is a pure function of the dataset and of them.
"""
