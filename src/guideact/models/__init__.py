"""The models that can drive an agent: scripted baselines, and any OpenAI-compatible endpoint."""

from guideact.models.base import Model, Reply, Request, Sampling

__all__ = ["Model", "Reply", "Request", "Sampling"]
