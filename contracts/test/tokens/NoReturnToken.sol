// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @notice Returns nothing, as USDT does on Ethereum.
contract NoReturnToken is TestToken {
    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }
}
