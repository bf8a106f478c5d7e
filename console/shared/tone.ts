export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

const tones: Readonly<Record<Tone, RegExp>> = {
  good: /^(running|active|ready|bound|available|succeeded|completed?|approved|approved,issued|issued|established|true|healthy|ok)$/i,
  busy: /^(pending|terminating|containercreating|podinitializing|init:.*|progressing|released|unknown|waiting|warning)$/i,
  bad: /^(failed|error|.*backoff|oomkilled|evicted|notready|lost|denied|false|errimagepull|.*error)$/i,
  quiet: /^(<none>|<unset>|<unknown>|none)?$/i,
};

/** Returns the colour for the text of a state. The text itself has the same meaning. */
export function toneOf(text: string): Tone | undefined {
  return (Object.keys(tones) as Tone[]).find((tone) => tones[tone].test(text));
}
