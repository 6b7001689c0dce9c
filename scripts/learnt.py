"""Trees as `query/src/trees.rs` reads them: what the scripts that learn have in common."""
import struct


def trees(model):
    """The trees of a LightGBM model as bytes."""
    told = [tree(one) for one in model.dump_model()["tree_info"]]
    return struct.pack("<H", len(told)) + b"".join(told)


def tree(model_tree):
    forks, leaves, queue = [], [], [model_tree["tree_structure"]]
    if "split_feature" not in queue[0]:
        raise SystemExit("a tree without a fork")
    for node in queue:
        ways = []
        for side in ("left_child", "right_child"):
            child = node[side]
            if "split_feature" in child:
                queue.append(child)
                ways.append(len(queue) - 1)
            else:
                leaves.append(child["leaf_value"])
                ways.append(-len(leaves))
        forks.append((node["split_feature"], node["threshold"], *ways))
    data = struct.pack("<H", len(forks)) + b"".join(struct.pack("<Hfhh", *fork) for fork in forks)
    return data + struct.pack(f"<{len(leaves)}f", *leaves)
