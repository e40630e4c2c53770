// Shows the documentation in the theme that was chosen in the dashboard, else in the system's. Runs before the first paint.
{
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let theme = null;
    try {
      theme = localStorage.getItem("settlekit.theme");
      if (localStorage.getItem("settlekit.contrast")) root.dataset.contrast = "more";
    } catch {
      // Without storage the page follows the system's theme.
    }
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    // The viewer of the reference has a class for its own colours.
    root.classList.toggle("dark-mode", theme === "dark" || (theme !== "light" && dark.matches));
  };
  apply();
  dark.addEventListener("change", apply);
}
