"""SR, GGS and the Guide Tax (MAG).

    GGS_i = S_i * (gamma + (1 - gamma) * G_i)        Guide Tax = SR - GGS

S_i is 1 where the functional check passed. With gamma = 1 GGS is SR; with gamma = 0 a solved task counts for no more
than its guide. The tax is what the success rate loses once guides count.
"""

from __future__ import annotations

GAMMA = 0.4
"""The paper's weight of success alone."""

SWEEP = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def ggs(success: bool, g: float, gamma: float = GAMMA) -> float:
    """GGS of one episode, 0..1.

    Raises:
        ValueError: `g` or `gamma` lies outside 0..1.
    """
    if not 0 <= g <= 1:
        raise ValueError(f"G is {g}, which is outside 0..1")
    if not 0 <= gamma <= 1:
        raise ValueError(f"gamma is {gamma}, which is outside 0..1")
    return gamma + (1 - gamma) * g if success else 0.0


def guide_tax(success: bool, g: float, gamma: float = GAMMA) -> float:
    """S - GGS of one episode, 0..1 - gamma."""
    return float(success) - ggs(success, g, gamma)
