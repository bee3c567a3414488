"""Labeled clips of other people's data sets, read from files: pure, nothing is stored.

`plain`, `finegym` and `finediving` each read one format of annotations into LabelledClips,
`label_files` reads what the labels mean. All raise DatasetInvalid, which names file, row, field
and mend of every fault.
"""
