"""Amounts of money as whole minor units (cents), which every database adds exactly."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

SECONDS_PER_HOUR = 3600
MAX_UNITS = 10**15

# ISO 4217: currencies in which people are paid, and those without two decimals.
_CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT
LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF
XPF YER ZAR ZMW
"""
_WITHOUT_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
CURRENCIES = tuple(_CODES.split())
WITHOUT_DECIMALS = frozenset(_WITHOUT_DECIMALS.split())
WITH_THREE_DECIMALS = frozenset(_WITH_THREE_DECIMALS.split())


def decimals_of(currency: str) -> int:
    """Return how many decimals amounts in the currency have."""
    if currency in WITHOUT_DECIMALS:
        return 0
    return 3 if currency in WITH_THREE_DECIMALS else 2


def units_of(amount: Decimal, currency: str) -> int:
    """Return an amount in minor units. Raises ValueError if it has more decimals than the currency
    or is too large."""
    units = amount.scaleb(decimals_of(currency))
    if units != units.to_integral_value() or abs(units) > MAX_UNITS:
        raise ValueError(f"{amount} is not an amount in {currency}.")
    return int(units)


def amount_of(units: int, currency: str) -> Decimal:
    """Return minor units as an amount with the decimals of the currency."""
    return Decimal(units).scaleb(-decimals_of(currency))


def in_words(units: int, currency: str) -> str:
    """Return "1,234.50 EUR"."""
    return f"{amount_of(units, currency):,f} {currency}"


def earned_units(per_item: int, per_hour: int, seconds: int) -> int:
    """Return what one item earns, in minor units, rounded once, half to even.

    `per_item` and `per_hour` are minor units, `seconds` is the active time.
    """
    exact = Decimal(per_item) + Decimal(per_hour) * seconds / SECONDS_PER_HOUR
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def share_units(units: int, percent: int) -> int:
    """Return a percentage of minor units, rounded half to even."""
    exact = Decimal(units) * percent / 100
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))
