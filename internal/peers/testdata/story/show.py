"""How the Python stories print what they did."""
import datetime

UTC = datetime.timezone.utc


def show(v):
    """A value as every story prints it."""
    if isinstance(v, datetime.datetime):
        return v.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if v.tzinfo else v.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, str) and v.startswith("{"):  # ODBC has no arrays
        return v.strip("{}").replace('"', "").replace(",", "+")
    if isinstance(v, list):
        return "+".join(v)
    return "" if v is None else str(v)


def say(act, *what):
    print(f"{act}: {'|'.join(map(show, what))}")
