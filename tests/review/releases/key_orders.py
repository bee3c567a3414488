"""The orders in which databases may keep the keys of JSON."""


def in_jsonb(keys):
    """As PostgreSQL keeps them: by length, then by bytes."""
    return sorted(keys, key=lambda key: (len(key.encode()), key.encode()))


def backwards(keys):
    return sorted(keys, reverse=True)


def reordered(value, order):
    if isinstance(value, dict):
        return {key: reordered(value[key], order) for key in order(value)}
    return [reordered(each, order) for each in value] if isinstance(value, list) else value
