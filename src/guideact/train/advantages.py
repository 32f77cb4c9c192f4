"""Advantages, weights and the loss of a round, token by token: numpy alone, for the built-in agent and real models.

A *token* is whatever has one log-probability: a token of a language model, a choice of the built-in agent. The loss of
a round is a weighted sum over its tokens, and training needs no more of it than its slope by each log-probability:

    found = terms(log_p, old, advantage, weight, expert, objective)
    numpy:  the gradient of the loss is the sum of found.slope[t] * gradient of log_p[t]
    torch:  (torch.as_tensor(found.slope) * log_p).sum().backward() leaves the same gradient, with log_p attached

With ratio = exp(log_p - old), old being the policy at the begin of the round, a token's loss is

    on-policy   -weight * advantage * ratio
      clipped   -weight * min(advantage * ratio, advantage * clip(ratio, 1 - clip, 1 + clip))          (PPO, GRPO)
      with KL   + weight * kl * (exp(reference - log_p) - (reference - log_p) - 1)                (k3; Schulman 2020)

Before the first update of a round the ratio is 1, and the slope is that of REINFORCE: -weight * advantage. Expert
tokens were sampled by somebody else, hence off-policy. Three ways to use them:

`plain`          What MAG does as far as its text tells: expert rows are treated as if the policy had sampled them, in
                 the group's mean and in the loss. Biased: it is no gradient of the expected reward.
`importance`     In the group's mean as above; the loss is -weight * advantage * share, where share is
                 exp(log_p - behaviour) up to 1 and grows no faster than its logarithm from there on. behaviour is the
                 log-probability that the expert gave the token (0 for one that never does otherwise, such as gold).
                 Tokens that the policy would hardly produce count little: less bias, less help. It is taken token by
                 token; the product over an episode would vanish.
`cross_entropy`  Not in the mean: the loss of an expert token is -weight * log_p, whatever the group did. Imitation
                 beside plain GRPO (`form_groups(apart=True)`).

The KL term is for on-policy tokens alone, since k3 is an estimate only under samples of the policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt

from guideact.train.objective import Objective, Unit

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Terms:
    """The loss of a round, token by token. Arrays have the shape (tokens,)."""

    loss: Floats
    """Adds up to the loss."""
    slope: Floats
    """The derivative of the loss by the token's log-probability."""
    clipped: Flags
    """Tokens that have no slope for the ratio went too far."""


def advantages(rewards: Floats) -> Floats:
    """Each reward less the mean of its group, shape (members,), not divided by the standard deviation (MAG)."""
    gained: Floats = rewards - rewards.mean()
    return gained


def token_weights(episode: Index, lengths: Index, unit: Unit) -> Floats:
    """The weight of each token of each row, shape (rows,); over all tokens the weights add up to 1.

    Args:
        episode: number of the episode that each row belongs to, shape (rows,).
        lengths: tokens of each row, shape (rows,).
        unit: what counts the same.
            `episodes`: every episode, however long; within one, every token. A failure of 25 steps then pushes no
            harder than a success of 8. GRPO's own 1/|o|, with the whole episode as the output o.
            `rows`: every step; within one, every token. This is TRL's loss type `grpo` on step rows.
            `tokens`: every token. This is TRL's loss type `bnpo`, and `dapo` on one process.

    An episode or row without any token is passed over. Raises ValueError for shapes that differ.
    """
    if episode.shape != lengths.shape:
        raise ValueError(f"{episode.shape} numbers of episodes for {lengths.shape} lengths")
    filled = lengths > 0
    if not filled.any():
        return np.zeros(len(lengths))
    match unit:
        case "tokens":
            return np.where(filled, 1 / lengths.sum(), 0.0)
        case "rows":
            return np.where(filled, 1 / (np.maximum(lengths, 1) * filled.sum()), 0.0)
        case "episodes":
            of_episode = np.bincount(episode, weights=lengths)
            return np.where(filled, 1 / (np.maximum(of_episode[episode], 1) * (of_episode > 0).sum()), 0.0)
        case _:
            assert_never(unit)


def terms(
    log_p: Floats,
    old: Floats,
    advantage: Floats,
    weight: Floats,
    expert: Flags,
    objective: Objective,
    *,
    reference: Floats | None = None,
    behaviour: Floats | None = None,
) -> Terms:
    """The loss and its slope at each token. All arrays have the shape (tokens,); logarithms are natural.

    Args:
        log_p: the token's log-probability under the policy as it is now.
        old: the same at the begin of the round, before its first update; of expert tokens too.
        advantage, weight, expert: those of the token's row, repeated (`Rows.per_token`).
        reference: log-probabilities under the reference policy; needed where `objective.kl` is not 0.
        behaviour: log-probabilities under the expert, read where `expert`; needed for `importance`.

    Raises:
        ValueError: a needed array is missing.
    """
    ratio = np.exp(log_p - old)
    loss, slope = -weight * advantage * ratio, -weight * advantage * ratio
    clipped = np.zeros(len(log_p), np.bool_)
    if objective.clip is not None:
        held = np.clip(ratio, 1 - objective.clip, 1 + objective.clip)
        clipped = advantage * held < advantage * ratio
        loss = np.where(clipped, -weight * advantage * held, loss)
        slope = np.where(clipped, 0.0, slope)
    if objective.kl:
        if reference is None:
            raise ValueError("a KL term needs the log-probabilities of a reference policy")
        apart = np.where(expert, 0.0, reference - log_p)
        loss = loss + weight * objective.kl * (np.exp(apart) - apart - 1)
        slope = slope + weight * objective.kl * (1 - np.exp(apart))
    match objective.experts:
        case "plain":
            return Terms(loss, slope, clipped)
        case "importance":
            if behaviour is None:
                raise ValueError("importance needs the log-probabilities of the expert")
            apart = np.where(expert, log_p - behaviour, 0.0)
            share = np.exp(np.minimum(apart, 0.0))
            own_loss, own_slope = -weight * advantage * (share + np.maximum(apart, 0.0)), -weight * advantage * share
        case "cross_entropy":
            own_loss, own_slope = -weight * log_p, -weight
        case _:
            assert_never(objective.experts)
    return Terms(np.where(expert, own_loss, loss), np.where(expert, own_slope, slope), clipped & ~expert)
