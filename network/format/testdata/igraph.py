"""Reads a graph with python-igraph, as BenchmarkReadFile does with Caucus: python3 igraph.py FILE.

igraph has no reader for JSON; Python's own reads it and igraph gets pairs of numbers.
"""
import json
import resource
import sys

import igraph

name = sys.argv[1]
if name.endswith(".json"):
    with open(name) as file:
        text = json.load(file)
    at = {node["id"]: k for k, node in enumerate(text["nodes"])}
    graph = igraph.Graph(n=len(at), edges=[(at[e["source"]], at[e["target"]]) for e in text["links"]])
else:
    graph = igraph.Graph.Read_GraphML(name)
used = resource.getrusage(resource.RUSAGE_SELF)
print(graph.vcount(), "nodes", graph.ecount(), "edges", "%.1f s of processor time" % (used.ru_utime + used.ru_stime),
      "%d MB" % (used.ru_maxrss / 1024))
