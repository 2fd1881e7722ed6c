"""The bug gallery: snippets that are wrong on purpose, each with the one test that catches it.

Every module beside this one holds a bug: `wrong` and `right` do the same job, `measure` takes one
number from either, `demo` prints both results, and `check` is the test. Some have a `case`, the
part of the running example on which either is tried. Nothing outside this package uses them.
"""

from publisher.results import Numbers, short
from snippets.bugs import (
    ablated_after_w_o,
    divided_by_d_k,
    divided_by_root_d_model,
    divided_by_root_n,
    inverted_mask,
    keys_for_values,
    leak,
    mask_after_softmax,
    mask_off_by_one,
    missing_keepdims,
    multiplied_mask,
    renormalised_dropout,
    softmax_axis,
    unswapped_heads,
)

# In the order of the page.
BUGS = (
    softmax_axis,
    missing_keepdims,
    divided_by_d_k,
    divided_by_root_d_model,
    divided_by_root_n,
    inverted_mask,
    multiplied_mask,
    mask_after_softmax,
    mask_off_by_one,
    unswapped_heads,
    keys_for_values,
    ablated_after_w_o,
    renormalised_dropout,
    leak,
)


def numbers() -> Numbers:
    """Return what each bug's wrong and right code come to, and the number of bugs."""
    return {
        "count": len(BUGS),
        "softmax_axis_wrong": short(softmax_axis.measure(softmax_axis.wrong)),
        "softmax_axis_right": softmax_axis.measure(softmax_axis.right),
        "missing_keepdims_wrong": missing_keepdims.measure(missing_keepdims.wrong),
        "missing_keepdims_right": missing_keepdims.measure(missing_keepdims.right),
        "divided_by_d_k_wrong": divided_by_d_k.measure(divided_by_d_k.wrong),
        "divided_by_d_k_right": divided_by_d_k.measure(divided_by_d_k.right),
        "divided_by_root_d_model_wrong": divided_by_root_d_model.measure(
            divided_by_root_d_model.wrong
        ),
        "divided_by_root_d_model_right": divided_by_root_d_model.measure(
            divided_by_root_d_model.right
        ),
        "divided_by_root_n_wrong": divided_by_root_n.measure(divided_by_root_n.wrong),
        "divided_by_root_n_right": divided_by_root_n.measure(divided_by_root_n.right),
        "inverted_mask_wrong": short(inverted_mask.measure(inverted_mask.wrong)),
        "inverted_mask_right": short(inverted_mask.measure(inverted_mask.right)),
        "multiplied_mask_wrong": multiplied_mask.measure(multiplied_mask.wrong),
        "multiplied_mask_right": short(multiplied_mask.measure(multiplied_mask.right)),
        "mask_after_softmax_wrong": mask_after_softmax.measure(mask_after_softmax.wrong),
        "mask_after_softmax_right": short(mask_after_softmax.measure(mask_after_softmax.right)),
        "mask_off_by_one_wrong": mask_off_by_one.measure(mask_off_by_one.wrong),
        "mask_off_by_one_right": short(mask_off_by_one.measure(mask_off_by_one.right)),
        "unswapped_heads_wrong": short(unswapped_heads.measure(unswapped_heads.wrong)),
        "unswapped_heads_right": short(unswapped_heads.measure(unswapped_heads.right)),
        "keys_for_values_wrong": keys_for_values.measure(keys_for_values.wrong),
        "keys_for_values_right": keys_for_values.measure(keys_for_values.right),
        "ablated_after_w_o_wrong": ablated_after_w_o.measure(ablated_after_w_o.wrong),
        "ablated_after_w_o_right": ablated_after_w_o.measure(ablated_after_w_o.right),
        "dropout_rate": short(renormalised_dropout.RATE),
        "renormalised_dropout_wrong": renormalised_dropout.measure(renormalised_dropout.wrong),
        "renormalised_dropout_right": renormalised_dropout.measure(renormalised_dropout.right),
        "leak_wrong": leak.measure(leak.wrong),
        "leak_right": short(leak.measure(leak.right)),
    }
