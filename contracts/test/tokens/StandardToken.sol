// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice OpenZeppelin's ERC-20, which anyone can mint.
contract StandardToken is ERC20("Standard token", "STD") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
