"""What Croissant reads of a release."""


def records_of(readers, folder, table):
    """The records of a table by Croissant, without the name of the table before each field."""
    described = readers.croissant.Dataset(jsonld=folder / "croissant.json")
    assert described.metadata.issues.errors == set()
    return [
        {key.partition("/")[2]: value for key, value in record.items()}
        for record in described.records(table)
    ]
