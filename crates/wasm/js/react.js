import { Children, Fragment, cloneElement, createElement, isValidElement } from "react";
import { linkFinder, splitAtLinks } from "./links.js";

/** The elements whose text stays as it is. */
const SKIPPED = ["a", "button", "code", "pre", "script", "select", "style", "textarea"];

export function Linkify({ children, options, attributes, component = "a" }) {
  const links = linkFinder(options);
  // A component of its own is a link already; an element such as `span` may be anything.
  const skipped = new Set(typeof component === "string" ? SKIPPED : [...SKIPPED, component]);

  const linkedText = (text) =>
    splitAtLinks(text, links)?.map((piece, i) =>
      typeof piece === "string" ? piece : createElement(component, { key: i, ...attributes, href: piece.href }, piece.url),
    ) ?? text;

  const linked = (node) => {
    if (typeof node === "string") return linkedText(node);
    if (!isValidElement(node) || skipped.has(node.type) || node.props.children === undefined) return node;
    return cloneElement(node, undefined, ...(Children.map(node.props.children, linked) ?? []));
  };

  return createElement(Fragment, null, Children.map(children, linked));
}
