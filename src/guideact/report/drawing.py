"""A chart as a file of its own: an SVG that brings its colours along, for documents and papers."""

from __future__ import annotations

from guideact.report.charts import Chart

_STYLE = """
svg { font: 12px system-ui, sans-serif; background: #fff; color: #1a1a1a; }
text { fill: #1a1a1a; } .quiet { fill: #5a5a5a; font-size: 11px; }
.rule { stroke: #ddd; stroke-width: 1; }
.a { fill: #1a56c4; } .b { fill: #b3541e; }
.whisker-a { stroke: #1a56c4; } .whisker-b { stroke: #b3541e; } .whisker-a, .whisker-b { stroke-width: 2; fill: none; }
.line-a { stroke: #1a56c4; fill: none; stroke-width: 2.5; } .band-a { fill: #1a56c4; opacity: .14; }
"""


def drawing(chart: Chart) -> str:
    """The text of an SVG file."""
    opening, rest = str(chart.svg).split(">", 1)
    namespaced = opening.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="720" ', 1)
    return f"{namespaced}><style>{_STYLE}</style>{rest}\n"
