// The subset of Markdown in explanations: paragraphs, `code` and **bold**.
import { element } from '../element.ts';

export function markdownElement(markdown: string): HTMLElement {
  const paragraphs = markdown.split(/\n{2,}/).map((text) => element('p', {}, inline(text)));
  return element('div', { className: 'explanation' }, paragraphs);
}

function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/.test(part)) return element('code', {}, part.slice(1, -1));
    return /^\*\*.+\*\*$/.test(part) ? element('strong', {}, part.slice(2, -2)) : part;
  });
}
