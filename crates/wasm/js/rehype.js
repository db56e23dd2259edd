import { linkFinder, splitAtLinks } from "./links.js";

/** The elements whose text stays as it is. */
const SKIPPED = ["a", "button", "code", "kbd", "math", "pre", "samp", "script", "select", "style", "svg", "textarea", "title"];

export default function rehypeUrlsift({ skip = SKIPPED, properties = {}, ...options } = {}) {
  const links = linkFinder(options);
  const skipped = new Set(skip);

  const link = ({ url, href }) => ({
    type: "element",
    tagName: "a",
    properties: { ...properties, href },
    children: [{ type: "text", value: url }],
  });

  const linked = (node) => {
    if (node.type !== "text") {
      visit(node);
      return [node];
    }
    const pieces = splitAtLinks(node.value, links);
    return pieces?.map((piece) => (typeof piece === "string" ? { type: "text", value: piece } : link(piece))) ?? [node];
  };

  const visit = (parent) => {
    if (!parent.children || skipped.has(parent.tagName)) return;
    parent.children = parent.children.flatMap(linked);
  };

  return visit;
}
