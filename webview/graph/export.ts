/** Exports the graph as SVG with the theme's colors inlined, and as PNG drawn from it. */
import { svg } from "../page/dom";
import type { Picture } from "./picture";

interface Drawing {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "opacity",
] as const;

/** Returns the text of an SVG, or a data URL of a PNG. The extension creates Mermaid from the file. */
export async function exported(picture: Picture, format: "svg" | "png" | "mermaid"): Promise<string | undefined> {
  if (format === "mermaid") return undefined;
  const drawing = toSvg(picture);
  return format === "svg" ? drawing.text : toPng(drawing);
}

function toSvg(picture: Picture): Drawing {
  const { scene, box } = picture.whole();
  const margin = 24;
  const width = Math.ceil(box.width + 2 * margin);
  const height = Math.ceil(box.height + 2 * margin);
  const root = svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `${box.x - margin} ${box.y - margin} ${width} ${height}`,
      class: "graph",
    },
    document.querySelector("svg.graph defs")?.cloneNode(true) as Node,
    svg("rect", {
      x: box.x - margin,
      y: box.y - margin,
      width,
      height,
      fill: getComputedStyle(document.body).backgroundColor,
    }),
    scene,
  );
  // The page's styles apply only while the drawing is in the DOM.
  root.style.position = "absolute";
  root.style.left = "-99999px";
  document.body.append(root);
  for (const element of root.querySelectorAll(".grip, .port")) element.remove();
  const elements = [...root.querySelectorAll<SVGElement>("*")];
  for (const element of elements) {
    const style = getComputedStyle(element);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
  }
  root.remove();
  root.removeAttribute("style");
  // Remove classes and variables only now, because an element's style may depend on those of its ancestors.
  for (const element of elements)
    for (const name of ["tabindex", "role", "class", "style", "data-edge"]) element.removeAttribute(name);
  return { text: withoutStrayCharacters(new XMLSerializer().serializeToString(root)), width, height };
}

/** Removes control characters and lone surrogates, which XML doesn't allow and a flow may contain, escaped. */
function withoutStrayCharacters(xml: string): string {
  return xml.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "");
}

/** Returns a data URL of the PNG, at double size unless the graph is huge. */
async function toPng(drawing: Drawing): Promise<string> {
  const scale = Math.min(2, 8000 / drawing.width, 8000 / drawing.height);
  const image = new Image(drawing.width, drawing.height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawing.width * scale;
  canvas.height = drawing.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
