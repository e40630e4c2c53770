/** All of standard input. */
export async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as string | Buffer));
  return Buffer.concat(chunks).toString("utf8");
}
