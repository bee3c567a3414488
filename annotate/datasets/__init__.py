"""Read and import labeled clips of published data sets.

`plain`, `finegym` and `finediving` each read one format of annotations into LabeledClips, and
`label_files` reads the meaning of the labels. They store nothing. All raise DatasetInvalid, which
names file, row and field of every fault and how to fix it.
"""
