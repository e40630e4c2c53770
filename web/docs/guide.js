// Adds a copy button to each code block of a guide.

const said = document.getElementById("said");

async function copy(text, button, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said.textContent = "Your browser blocked copying. Select the text to copy it.";
    return;
  }
  button.textContent = "Copied";
  said.textContent = `${what} copied`;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    button.textContent = "Copy";
    said.textContent = "";
  }, 4000);
}

for (const block of document.querySelectorAll("figure.code")) {
  const caption = block.querySelector("figcaption");
  const what = caption.textContent;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${what}`);
  button.addEventListener("click", () => copy(block.querySelector("code").textContent, button, what));
  caption.append(button);
}
