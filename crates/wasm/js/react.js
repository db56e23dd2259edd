import { Children, Fragment, cloneElement, createElement, isValidElement, useMemo } from "react";
import { linkFinder, splitAtLinks } from "./links.js";

/** The elements whose text stays as it is. */
const SKIPPED = new Set(["a", "button", "code", "pre", "script", "select", "style", "textarea"]);

export function Linkify({ children, options, attributes, component = "a" }) {
  const key = JSON.stringify(options);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- equal options need no new scanner
  const links = useMemo(() => linkFinder(options), [key]);

  const linkedText = (text) =>
    splitAtLinks(text, links)?.map((piece, i) =>
      typeof piece === "string" ? piece : createElement(component, { key: i, ...attributes, href: piece.href }, piece.url),
    ) ?? text;

  const linked = (node) => {
    if (typeof node === "string") return linkedText(node);
    if (!isValidElement(node) || SKIPPED.has(node.type) || node.props.children === undefined) return node;
    return cloneElement(node, undefined, ...(Children.map(node.props.children, linked) ?? []));
  };

  return createElement(Fragment, null, Children.map(children, linked));
}
