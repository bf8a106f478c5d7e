/** Shows a text, as a link if it is an HTTP URL. URLs with other schemes could run code. */
export function SafeLink({ text }: { text: string }) {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return <>{text}</>;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}
