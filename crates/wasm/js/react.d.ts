import type { ElementType, ReactElement, ReactNode } from "react";
import type { LinkOptions } from "./links.js";

/** The properties of `Linkify`. */
export interface LinkifyProps {
  /** The text and elements whose URLs become links. Links and code in it stay as they are. */
  children?: ReactNode;
  /** Which URLs become links. */
  options?: LinkOptions;
  /** Further properties of each link, e.g. `{ rel: "nofollow" }`. */
  attributes?: Record<string, unknown>;
  /** The component of each link, which gets the property `href` (default: `"a"`). */
  component?: ElementType;
}

/** Makes links of the URLs in its children. In browsers, await `init()` of `urlsift` before you render it. */
export declare function Linkify(props: LinkifyProps): ReactElement;
