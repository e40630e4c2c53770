// The page around the embedded checkout. An event only says when to ask: the shop knows from its webhook that an order is paid.

const order = location.pathname.split("/").at(-2);
const ATTEMPTS_MAX = 60;

async function readStatus() {
  const response = await fetch(`/orders/${order}`);
  const { status } = await response.json();
  document.querySelector("#status").textContent = status;
  return status;
}

document.addEventListener("settlekit-confirmed", async () => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if ((await readStatus()) !== "awaiting payment") return;
    await new Promise((next) => setTimeout(next, 1000));
  }
});
