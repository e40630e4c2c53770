// Applies the reader's choice of theme before the first paint. The dashboard's part/theme.rs writes the same name.
try {
  const choice = localStorage.getItem("settlekit.theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
} catch {
  // A browser that keeps nothing shows what the system says.
}
