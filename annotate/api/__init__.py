"""The kernel of the API: tokens as sign-in, problem details, pages, limits, and its description.

Each feature has its resources in an `api.py`, and `config/api.py` collects their addresses.
"""
