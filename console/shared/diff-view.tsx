import { diffLines, hunks } from '../document/line-diff.ts';

/** Shows the differences between two texts. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = diffLines(before.split('\n'), after.split('\n'));
  const shown = hunks(lines);
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  if (shown.length === 0) return <p class="muted diff-none">Nothing changes.</p>;
  const marks = { same: ' ', removed: '−', added: '+' };
  return (
    <figure class="diff">
      <figcaption class="visually-hidden">
        {count('added')} lines added, {count('removed')} lines removed
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keys. */}
      <section class="diff-lines" tabIndex={0} aria-label="Changes">
        {shown.map((hunk, index) => (
          <div key={index}>
            {hunk.skipped > 0 && <div class="diff-skip">{hunk.skipped} unchanged lines</div>}
            {hunk.lines.map((line, position) => (
              <div key={position} class={`diff-${line.kind}`}>
                <span class="diff-mark">{marks[line.kind]}</span>
                {line.text}
              </div>
            ))}
          </div>
        ))}
      </section>
    </figure>
  );
}
