/** Elements that are not text of a page, or that a browser does not show. */
const unshown =
  "script,style,noscript,template,head,title,svg,iframe,object,embed,canvas,audio,video,map,nav,[role=navigation],input,button,select,textarea,[hidden],[aria-hidden=true]";

const hiddenStyle = /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i;

/**
 * Removes what is not text of the page or is not shown: scripts, forms, frames, recordings, navigation and hidden
 * elements. `kept`: the elements in a hidden one that stay in its place.
 */
export function removeUnshown(document: Document, kept?: string): void {
  for (const element of Array.from(document.querySelectorAll(unshown))) element.remove();
  for (const element of Array.from(document.querySelectorAll("[style]"))) {
    if (!hiddenStyle.test(element.getAttribute("style") ?? "")) continue;
    element.replaceWith(...(kept ? Array.from(element.querySelectorAll(kept)) : []));
  }
}
